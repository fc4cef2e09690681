/* What a file's name says of it, before anything is read. */
#ifndef SCI_PROBE_FILENAME_H
#define SCI_PROBE_FILENAME_H

#include <stdbool.h>

/* Files and directories that systems keep for themselves: dot files (AppleDouble among them),
   recycle bins, thumbnails. They are passed over as if they were not there. */
bool sci_filename_is_housekeeping(const char *name);
/* What cameras and editing programs write beside a clip: metadata, thumbnails, and the small copies
   that a camera shows on its own screen. */
bool sci_filename_is_sidecar(const char *path);
/* Whether the name ends as those of footage do: its failure is worth a line of its own. */
bool sci_filename_is_footage(const char *path);
/* Whether the name ends as those of pictures do that are frames of sequences. */
bool sci_filename_is_frame(const char *path);
/* Such a picture in such a directory is a photo or thumbnail on the card of a camera: numbered, but
   no frame. */
bool sci_filename_may_be_still(const char *path);
bool sci_filename_is_still_place(const char *directory);

#endif
