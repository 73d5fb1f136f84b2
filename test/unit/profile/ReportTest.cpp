//===- ReportTest.cpp - The page that shows a profile -===//
// test/profile/report.test checks the page as a whole.

#include "compiler/Profile/Report.h"
#include "compiler/Profile/ReportCharts.h"
#include "compiler/Profile/ReportFormat.h"
#include "test/unit/profile/RandomProfile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace pi;
using namespace pi::test;

static std::string makePage(const Profile &profile, const ReportExtras &extras = {}) {
  std::string page;
  llvm::raw_string_ostream os(page);
  writeReport(profile, extras, os);
  return page;
}

static bool contains(const std::string &page, const std::string &text) {
  return page.find(text) != std::string::npos;
}

static Profile makeSmallProfile() {
  Profile profile;
  profile.source = "self-sampled";
  profile.tokens = 100;
  LayerProfile &layer = profile.layers.emplace_back();
  layer.layer = 4;
  layer.hidden = 2;
  layer.counts = {10, 0, 60, 10};
  layer.mass = {1, 0, 1, 1};
  return profile;
}

TEST(Report, NumbersOfALayer) {
  std::string page = makePage(makeSmallProfile());
  EXPECT_TRUE(contains(page, "<h3>Layer 4</h3><span>sparsity 80.0\u00a0%</span>"));
  EXPECT_TRUE(contains(page, "80\u00a0%: 50.0\u00a0%"));
  EXPECT_TRUE(contains(page, "95\u00a0%: 75.0\u00a0%"));
  EXPECT_TRUE(contains(
      page, "<tr><th scope=\"row\">4</th><td>4</td><td>80.0\u00a0%</td><td>50.0\u00a0%</td>"
            "<td>75.0\u00a0%</td><td>75.0\u00a0%</td><td>1</td><td>60.0\u00a0%</td></tr>"));
}

/// Four neurons are four steps: 60 %, 10 % and 10 % of the tokens on an axis from 1 %.
TEST(Report, CurveOfALayer) {
  Profile profile = makeSmallProfile();
  std::string chart;
  llvm::raw_string_ostream os(chart);
  drawHotness(profile.layers[0], summarise(profile.layers[0], 100), 100, 0.01, os);
  EXPECT_TRUE(contains(chart, "<path class=\"c80\" d=\"M52.0 162.0L52.0 26.9H116.0L116.0 "
                              "86.0H180.0V162.0Z\"/>"))
      << chart;
  EXPECT_TRUE(contains(chart, "<path class=\"c90\" d=\"M180.0 162.0L180.0 86.0H244.0V162.0Z\"/>"));
  EXPECT_FALSE(contains(chart, "class=\"c95\"")); // has no neurons of its own
}

TEST(Report, StateOfTheRun) {
  Profile profile = makeSmallProfile();
  EXPECT_FALSE(contains(makePage(profile), "class=\"notice\""));
  profile.interrupted = true;
  EXPECT_TRUE(contains(makePage(profile), "The run was interrupted"));
  profile.shardCount = 2;
  EXPECT_TRUE(contains(makePage(profile), "Shards are missing"));
}

TEST(Report, WithoutTokens) {
  Profile profile = makeSmallProfile();
  profile.tokens = 0;
  profile.layers[0].counts.assign(4, 0);
  std::string page = makePage(profile);
  EXPECT_TRUE(contains(page, "No token was seen"));
  EXPECT_TRUE(contains(page, "sparsity \u2013"));
  EXPECT_FALSE(contains(page, "nan"));
}

TEST(Report, Placement) {
  Profile profile = makeSmallProfile();
  EXPECT_TRUE(contains(makePage(profile), "No plan was given"));
  ReportExtras extras;
  extras.placementFacts = {{"Budget", "12 MiB"}};
  extras.placement = {{4, "gpu", 3, 1, 0.875, 12345678, 12.34, 5.67}};
  std::string page = makePage(profile, extras);
  EXPECT_FALSE(contains(page, "No plan was given"));
  EXPECT_TRUE(contains(page, "<dt>Budget</dt><dd>12 MiB</dd>"));
  EXPECT_TRUE(contains(page, "<tr><th scope=\"row\">4</th><td>gpu</td><td>3</td><td>1</td>"
                             "<td>87.5\u00a0%</td><td>12,345,678</td><td>12.3</td><td>5.7</td>"));
}

TEST(Report, TextIsEscaped) {
  Profile profile = makeSmallProfile();
  profile.source = "a<b>&\".txt";
  ReportExtras extras;
  extras.title = "</title><script>";
  extras.modelFacts = {{"<i>", "&"}};
  extras.placement = {{0, "<u>", 0, 0, 0, 0, 0, 0}};
  std::string page = makePage(profile, extras);
  EXPECT_TRUE(contains(page, "<dd>a&lt;b&gt;&amp;&quot;.txt</dd>"));
  EXPECT_TRUE(contains(page, "<dt>&lt;i&gt;</dt><dd>&amp;</dd>"));
  EXPECT_FALSE(contains(page, "<script"));
  EXPECT_FALSE(contains(page, "<u>"));
}

TEST(Report, IsTheSameForTheSameProfile) {
  std::mt19937_64 random(1);
  Profile profile = makeProfile(random, {0});
  EXPECT_EQ(makePage(profile), makePage(profile));
}

TEST(Report, Formats) {
  EXPECT_EQ(formatCount(0), "0");
  EXPECT_EQ(formatCount(1234567), "1,234,567");
  EXPECT_EQ(formatShare(0), "0.0\u00a0%");
  EXPECT_EQ(formatShare(0.1234), "12.3\u00a0%");
  EXPECT_EQ(formatShare(0.00012), "0.012\u00a0%");
  EXPECT_EQ(formatShare(std::numeric_limits<double>::quiet_NaN()), "\u2013");
  EXPECT_DOUBLE_EQ(chooseFloor(0), 1e-2);
  EXPECT_DOUBLE_EQ(chooseFloor(1000), 1e-3);
  EXPECT_DOUBLE_EQ(chooseFloor(1001), 1e-4);
  EXPECT_DOUBLE_EQ(chooseFloor(uint64_t(1) << 50), 1e-5);
}
