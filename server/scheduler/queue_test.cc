#include "server/scheduler/queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

v1::Device Device(const std::string& kind, const std::string& model) {
  v1::Device device;
  device.set_kind(kind);
  device.set_model(model);
  device.add_languages(v1::BuildSpec::CPP);
  device.add_languages(v1::BuildSpec::PYTHON);
  device.add_bindings(v1::BuildSpec::C);
  return device;
}

KnownWorker Cpu(const std::string& id) { return {id, Device("cpu", "EPYC")}; }
KnownWorker Gpu(const std::string& id) {
  return {id, Device("cuda", "NVIDIA_H200")};
}

KnownWorker Unwell(KnownWorker worker, const std::string& reason) {
  worker.unavailable = "unwell: " + reason;
  return worker;
}

Requirements Needs(v1::BuildSpec::Language language,
                   v1::BuildSpec::Binding binding, HardwareWords hardware) {
  Requirements requirements{language, binding, {}};
  if (!hardware.empty()) requirements.hardware.push_back(std::move(hardware));
  return requirements;
}

Requirements Python(HardwareWords hardware) {
  return Needs(v1::BuildSpec::PYTHON, v1::BuildSpec::BINDING_UNSPECIFIED,
               std::move(hardware));
}

QueuedGroup Group(const std::string& submission, int64_t first_seq) {
  QueuedGroup group;
  group.submission_id = submission;
  group.author = "author-" + submission;
  group.requirements = Python({"cpu"});
  group.first_seq = first_seq;
  return group;
}

std::vector<std::string> Ids(const std::vector<QueuedGroup>& groups) {
  std::vector<std::string> ids;
  for (const QueuedGroup& group : groups) ids.push_back(group.submission_id);
  return ids;
}

std::vector<QueuedGroup> Chosen(const std::vector<QueuedGroup>& waiting,
                                const KnownWorker& worker,
                                const std::vector<KnownWorker>& live) {
  return ChooseGroups(waiting, worker, live).groups;
}

TEST(QueueTest, DeviceMustFitHardwareLanguageAndBinding) {
  const v1::Device device = Device("cuda", "NVIDIA_H200");
  EXPECT_TRUE(Fits(Python({"cpu", "cuda"}), device));
  EXPECT_TRUE(Fits(Python({}), device));
  EXPECT_FALSE(Fits(Python({"cpu"}), device));
  EXPECT_TRUE(
      Fits(Needs(v1::BuildSpec::CPP, v1::BuildSpec::C, {"cuda"}), device));
  EXPECT_FALSE(Fits(Needs(v1::BuildSpec::CPP, v1::BuildSpec::TVM_FFI, {"cuda"}),
                    device));
  EXPECT_FALSE(
      Fits(Needs(v1::BuildSpec::TRITON, v1::BuildSpec::BINDING_UNSPECIFIED, {}),
           device));
}

TEST(QueueTest, DeviceMustFitEveryList) {
  v1::Device device = Device("cpu", "EPYC");
  device.add_labels("rack-7");
  Requirements requirements = Python({"rack-7"});
  EXPECT_TRUE(Fits(requirements, device));
  requirements.hardware.push_back({"cuda", "NVIDIA_H200"});
  EXPECT_FALSE(Fits(requirements, device));
  EXPECT_EQ(WaitingNote(requirements, {{"w", device}}),
            "no registered worker has rack-7, and cuda or NVIDIA_H200");
  device.set_kind("cuda");
  EXPECT_TRUE(Fits(requirements, device));
}

TEST(QueueTest, ClassTellsDevicesApartThatMayGetOtherJobs) {
  const v1::Device device = Device("cuda", "NVIDIA_H200");
  v1::Device twin = device;
  twin.set_uuid("another");
  (*twin.mutable_libs())["torch"] = "2.9";
  EXPECT_EQ(DeviceClass(device), DeviceClass(twin));
  for (const auto& change : std::vector<void (*)(v1::Device&)>{
           [](v1::Device& d) { d.set_kind("cpu"); },
           [](v1::Device& d) { d.set_model("NVIDIA_B200"); },
           [](v1::Device& d) { d.set_architecture("sm_80"); },
           [](v1::Device& d) { d.add_labels("rack-7"); },
           [](v1::Device& d) { d.clear_languages(); },
           [](v1::Device& d) { d.clear_bindings(); }}) {
    v1::Device other = device;
    other.add_languages(v1::BuildSpec::CUDA);
    other.add_bindings(v1::BuildSpec::C);
    const std::string before = DeviceClass(other);
    change(other);
    EXPECT_NE(DeviceClass(other), before);
  }
}

TEST(QueueTest, NothingFitsNothingIsChosen) {
  EXPECT_THAT(Chosen({Group("a", 1)}, Gpu("g"), {}), IsEmpty());
  EXPECT_THAT(Chosen({}, Cpu("c"), {}), IsEmpty());
}

TEST(QueueTest, OldestGoesFirst) {
  EXPECT_THAT(Ids(Chosen({Group("a", 9), Group("b", 2)}, Cpu("c"), {})),
              ElementsAre("b"));
}

TEST(QueueTest, PriorityGoesBeforeAgeAndTurn) {
  QueuedGroup urgent = Group("urgent", 9);
  urgent.priority = 1;
  urgent.author_turn = 100;
  EXPECT_THAT(Ids(Chosen({Group("a", 1), urgent}, Cpu("c"), {})),
              ElementsAre("urgent"));
}

TEST(QueueTest, AuthorsTakeTurns) {
  std::vector<QueuedGroup> waiting;
  for (int i = 0; i < 4; ++i) {
    waiting.push_back(Group(std::to_string(i), i));
    waiting.back().author = i < 3 ? "busy" : "other";
  }
  std::map<std::string, int64_t> turns;
  std::vector<std::string> served;
  for (int64_t turn = 1; !waiting.empty(); ++turn) {
    for (QueuedGroup& group : waiting) group.author_turn = turns[group.author];
    const auto chosen = Chosen(waiting, Cpu("c"), {});
    ASSERT_EQ(chosen.size(), 1u);
    served.push_back(chosen[0].submission_id);
    turns[chosen[0].author] = turn;
    waiting.erase(std::find_if(waiting.begin(), waiting.end(),
                               [&](const QueuedGroup& group) {
                                 return group.submission_id == served.back();
                               }));
  }
  EXPECT_THAT(served, ElementsAre("0", "3", "1", "2"));
}

TEST(QueueTest, AllFittingGroupsOfTheSubmissionAreChosen) {
  QueuedGroup any = Group("a", 5);
  any.requirements = Python({"LOCAL"});
  QueuedGroup gpu = Group("a", 1);
  gpu.requirements = Python({"cuda"});
  EXPECT_THAT(
      Ids(Chosen({gpu, any, Group("a", 3), Group("b", 4)}, Cpu("c"), {})),
      ElementsAre("a", "a"));
}

TEST(QueueTest, WhatTheWorkerHasAtHandGoesBeforeWhatIsOlder) {
  std::vector<QueuedGroup> waiting = {Group("old", 1), Group("known", 2),
                                      Group("built", 3)};
  waiting[0].definition = "other";
  waiting[1].definition = waiting[2].definition = "d";
  waiting[2].solution_digest = "s";
  WorkerHistory history;
  history.definitions = {"d"};
  GroupChoice choice = ChooseGroups(waiting, Cpu("c"), {}, history);
  EXPECT_THAT(Ids(choice.groups), ElementsAre("known"));
  EXPECT_TRUE(choice.preferred);
  history.solution_digests = {"s"};
  choice = ChooseGroups(waiting, Cpu("c"), {}, history);
  EXPECT_THAT(Ids(choice.groups), ElementsAre("built"));
  // Not for ever.
  history.preferred = kMaxPreferred;
  choice = ChooseGroups(waiting, Cpu("c"), {}, history);
  EXPECT_THAT(Ids(choice.groups), ElementsAre("old"));
  EXPECT_FALSE(choice.preferred);
}

TEST(QueueTest, PriorityAndTurnGoBeforeWhatTheWorkerHasAtHand) {
  std::vector<QueuedGroup> waiting = {Group("built", 1), Group("turn", 2)};
  waiting[0].solution_digest = "s";
  waiting[0].author_turn = 2;
  waiting[1].author_turn = 1;
  WorkerHistory history;
  history.solution_digests = {"s"};
  EXPECT_THAT(Ids(ChooseGroups(waiting, Cpu("c"), {}, history).groups),
              ElementsAre("turn"));
  waiting[0].author_turn = 1;
  waiting[1].priority = 1;
  EXPECT_THAT(Ids(ChooseGroups(waiting, Cpu("c"), {}, history).groups),
              ElementsAre("turn"));
}

TEST(QueueTest, WorkersShareASubmissionButNotBelowWhatIsWorthABuild) {
  EXPECT_EQ(LeaseShare(100, 1), 100);
  EXPECT_EQ(LeaseShare(100, 0), 100);
  EXPECT_EQ(LeaseShare(100, 3), 34);
  EXPECT_EQ(LeaseShare(100, 50), 4);
}

TEST(QueueTest, FailedJobIsLeftToAnotherWorkerThatFits) {
  QueuedGroup failed = Group("a", 1);
  failed.avoid_worker = "c1";
  EXPECT_THAT(Chosen({failed}, Cpu("c1"), {Cpu("c1"), Cpu("c2")}), IsEmpty());
  EXPECT_THAT(Ids(Chosen({failed}, Cpu("c2"), {Cpu("c1"), Cpu("c2")})),
              ElementsAre("a"));
  EXPECT_THAT(Ids(Chosen({failed}, Cpu("c1"), {Cpu("c1"), Gpu("g")})),
              ElementsAre("a"));
}

TEST(QueueTest, FailedJobIsNotLeftToAWorkerThatIsUnwell) {
  QueuedGroup failed = Group("a", 1);
  failed.avoid_worker = "c1";
  EXPECT_THAT(Ids(Chosen({failed}, Cpu("c1"),
                         {Cpu("c1"), Unwell(Cpu("c2"), "no memory")})),
              ElementsAre("a"));
}

TEST(QueueTest, NoteTellsOfAFittingWorkerThatIsUnwell) {
  const KnownWorker unwell = Unwell(Gpu("gpu-1"), "3 GiB are in use");
  EXPECT_EQ(WaitingNote(Python({"cuda"}), {Cpu("c"), unwell}),
            "worker \"gpu-1\" fits, but is unwell: 3 GiB are in use");
  EXPECT_EQ(WaitingNote(Python({"cuda"}), {unwell, Gpu("gpu-2")}), "");
  EXPECT_EQ(WaitingNote(Python({"sm_100a"}), {unwell}),
            "no registered worker has sm_100a");
}

TEST(QueueTest, NoteSaysWhatIsMissing) {
  EXPECT_EQ(WaitingNote(Python({"cpu"}), {}),
            "no worker is registered: start one with assay-worker");
  EXPECT_EQ(WaitingNote(Python({"cpu"}), {Gpu("g"), Cpu("c")}), "");
  EXPECT_EQ(WaitingNote(Python({"cuda", "NVIDIA_B200"}), {Cpu("c")}),
            "no registered worker has cuda or NVIDIA_B200");
  EXPECT_EQ(WaitingNote(Needs(v1::BuildSpec::TRITON,
                              v1::BuildSpec::BINDING_UNSPECIFIED, {"cpu"}),
                        {Cpu("c")}),
            "no registered worker with cpu runs triton");
  EXPECT_EQ(
      WaitingNote(Needs(v1::BuildSpec::CPP, v1::BuildSpec::TVM_FFI, {"cpu"}),
                  {Cpu("c")}),
      "no registered worker with cpu offers the binding tvm-ffi");
}

}  // namespace
}  // namespace assay
