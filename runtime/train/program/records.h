// records.h: MXNet's files of records (.rec), and what a record of a picture holds.
//
// A record is the magic number, a word with its length (29 bits) and its kind, its bytes, and zeros
// up to a multiple of 4. Where the bytes have the magic number at a multiple of 4 they are cut
// there: the kinds of the parts are 1, 2 ... 2, 3; kind 0 is a whole record.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_RECORDS_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_RECORDS_H

#include "source.h"

namespace symc::train {

bool is_record(const uint8_t *head, size_t bytes);

// A file of records, open.
struct Records {
  const char *path = "";
  int file = -1;
  int64_t bytes = 0;         // of the file
  int64_t *places = nullptr; // of the records' first bytes
  int64_t count = 0;
};
// Opens a file and finds its records.
bool open_records(const char *path, Records &records, Problem &problem);
void close_records(Records &records);
// Reads the record at a place, its parts joined.
bool read_record(const Records &records, int64_t place, Bytes &bytes, Problem &problem);

// A record of a picture: labels and the file of the picture.
struct PictureRecord {
  const uint8_t *labels; // n of them, float32, not aligned
  int64_t nLabels;
  const uint8_t *picture;
  size_t pictureBytes;
};
bool take_picture(const char *path, int64_t place, const Bytes &record, PictureRecord &taken,
                  Problem &problem);

// An input as one that takes pictures, [C, H, W] or [H, W, C] with 1 or 3 channels; else with none.
PictureInput picture_input(const Input &input);

} // namespace symc::train
#endif
