// no_images_test.cpp: a program that was linked without the decoder of pictures, as
// this test is, refuses them with a sentence and reads everything else.
#include "main/inputs.h"

#include "fake_model.h"

#include <gtest/gtest.h>

TEST(NoImages, PicturesAreRefused) {
  FakeModel fake;
  ScopedFolder folder;
  std::string path = folder / "p.png";
  writeFile(path, "\x89PNG\r\n\x1a\n and more");
  symc::Inputs inputs;
  symc::CommandLine line;
  symc::Problem problem;
  char program[] = "fake";
  char *argv[] = {program, path.data()};
  ASSERT_TRUE(line.parse(2, argv, problem));
  EXPECT_FALSE(inputs.load(fake.model, line, problem));
  EXPECT_EQ(problem.text, "'" + path + "': this program reads no pictures");
  EXPECT_STREQ(problem.note,
               "it was compiled without the reader; compile it with --images, or pass .npy");
  EXPECT_EQ(problem.exit, symc::BadInput);
}
