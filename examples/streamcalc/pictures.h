/* Folders of pictures of which the library made no clip. */
#ifndef PICTURES_H
#define PICTURES_H

#include <stdbool.h>

/* Whether a directory holds files that are named as pictures of a sequence (.dpx, .exr, ...), looking
   at no more than some thousand names. */
bool pictures_in(const char *path);

#endif
