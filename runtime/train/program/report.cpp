// report.cpp: see report.h. Every line is one write, so that lines of several processes do not mix.
#include "report.h"

#include "feed.h"

#include "../../core/reason.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace symc::train {

void Json::begin() {
  used = 0;
  put("{");
}

// What does not fit is left out whole, so that the line stays JSON.
void Json::put(const char *string) {
  size_t length = strlen(string);
  if (used + length + 3 > sizeof line)
    return;
  memcpy(line + used, string, length);
  used += length;
}

void Json::putQuoted(const char *string) {
  put("\"");
  for (; *string; ++string) {
    char piece[8];
    unsigned char c = static_cast<unsigned char>(*string);
    if (c == '"' || c == '\\')
      snprintf(piece, sizeof piece, "\\%c", c);
    else if (c < 32)
      snprintf(piece, sizeof piece, "\\u%04x", c);
    else
      snprintf(piece, sizeof piece, "%c", c);
    put(piece);
  }
  put("\"");
}

void Json::key(const char *name) {
  if (used > 1)
    put(", ");
  putQuoted(name);
  put(": ");
}

// Room for a member and the end of the line.
static constexpr size_t memberRoom = 64;

Json &Json::text(const char *name, const char *value) {
  if (used + 6 * (strlen(name) + strlen(value)) + memberRoom > sizeof line)
    return *this;
  key(name);
  putQuoted(value);
  return *this;
}

Json &Json::number(const char *name, double value) {
  if (used + 6 * strlen(name) + memberRoom > sizeof line)
    return *this;
  char text[40];
  snprintf(text, sizeof text, isfinite(value) ? "%.9g" : "null", value);
  key(name);
  put(text);
  return *this;
}

Json &Json::integer(const char *name, int64_t value) {
  if (used + 6 * strlen(name) + memberRoom > sizeof line)
    return *this;
  char text[32];
  snprintf(text, sizeof text, "%lld", (long long)value);
  key(name);
  put(text);
  return *this;
}

const char *Json::end() {
  put("}\n");
  line[used] = 0;
  return line;
}

Report::Report() : terminal(isatty(2)) {}

Report::~Report() {
  if (file >= 0)
    close(file);
}

// Where the last whole line ends.
static off_t end_of_lines(int file, off_t bytes) {
  char piece[4096];
  while (bytes > 0) {
    off_t begin = bytes > off_t(sizeof piece) ? bytes - off_t(sizeof piece) : 0;
    ssize_t got = pread(file, piece, size_t(bytes - begin), begin);
    if (got <= 0)
      return -1;
    for (ssize_t i = got; i > 0; --i)
      if (piece[i - 1] == '\n')
        return begin + i;
    bytes = begin;
  }
  return 0;
}

bool Report::open(const char *name, Problem &problem) {
  path = name;
  if (!path)
    return true;
  file = ::open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0 && (errno == EACCES || errno == EINVAL)) // a pipe, a device
    file = ::open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0)
    return problem.set(BadOutput, "'%s': cannot write: %s", path, Reason(errno).c_str());
  struct stat status;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
    return true;
  off_t whole = end_of_lines(file, status.st_size);
  if (whole >= 0 && whole < status.st_size && ftruncate(file, whole) != 0)
    return problem.set(BadOutput, "'%s': cannot write: %s", path, Reason(errno).c_str());
  return true;
}

bool Report::write(Json &json, Problem &problem) {
  if (file < 0)
    return true;
  const char *at = json.end();
  for (size_t left = json.size(); left;) {
    ssize_t put = ::write(file, at, left);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0)
      return problem.set(BadOutput, "'%s': cannot write: %s", path,
                         Reason(put < 0 ? errno : EIO).c_str());
    at += put;
    left -= size_t(put);
  }
  return true;
}

void Report::print(const char *format, ...) {
  if (silent)
    return;
  char text[4096];
  const char *clear = shown ? "\r\x1b[K" : "";
  size_t begin = strlen(clear);
  memcpy(text, clear, begin);
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text + begin, sizeof text - begin - 1, format, arguments);
  va_end(arguments);
  size_t used = begin + size_t(length < 0 ? 0 : length);
  used = used < sizeof text - 2 ? used : sizeof text - 2;
  text[used++] = '\n';
  fwrite(text, 1, used, stderr);
  shown = false;
}

bool Report::liveIsDue() {
  constexpr double interval = 0.1;
  double now = onTerminal() ? seconds_now() : 0;
  if (!onTerminal() || now - last < interval)
    return false;
  last = now;
  return true;
}

int Report::columns() const {
  struct winsize size;
  return ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void Report::live(const char *text) {
  fprintf(stderr, "\r%.*s\x1b[K", columns() - 1, text);
  fflush(stderr);
  shown = true;
}

} // namespace symc::train
