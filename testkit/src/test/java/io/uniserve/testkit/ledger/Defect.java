package io.uniserve.testkit.ledger;

/** The possible defects of a {@link LedgerEngine}, each with the check that must find it. */
enum Defect {
  NONE(""),
  STARTS_WITH_DATA("createGivesAnEmptyActor"),
  LOSES_DATA("queriesSeeWhatUpdatesApplied"),
  FORGETS_THE_LAST_FILE("aDeserializedActorAnswersAsTheOriginal"),
  ENDS_WITH_SERIALIZE("theOriginalStaysUsable"),
  POINTS_TO_THE_ORIGINAL("serializedFilesStandAlone"),
  WRITES_FILES_AGAIN("serializedFilesNeverChange"),
  WRITES_LINKED_FILES_AGAIN("filesWrittenOnceNeverChange"),
  TAKES_MISSING_FOR_EMPTY("missingFilesAreRefused"),
  TELLS_COPIES_APART("copiesStayEqual"),
  RESTARTS_COUNTING("updatesAfterACheckpointAreAppliedAgain"),
  APPLIES_HALF("aRefusedUpdateChangesNothing"),
  ANSWERS_COPIES_APART("copiesAnswerUpdatesAlike"),
  ANSWERS_TOO_MUCH("copiesAnswerUpdatesAlike"),
  ENDS_WITH_A_REFUSAL("togetherAsOneByOne"),
  ANSWERS_TOGETHER_APART("orderedTogetherAsOneByOne"),
  SHOWS_HALF("queriesRunDuringUpdates"),
  FAILS_DURING_UPDATES("queriesRunDuringUpdates"),
  KEEPS_FILES_OPEN("closeReleasesFiles"),
  OCCUPIES_LESS_THAN_NOTHING("usageIsSane"),
  TAKES_TIME_FOR_USAGE("usageIsCheap"),
  ORDERS_COPIES_APART("orderedUpdatesAreTheSameOnCopies"),
  FORGETS_WHAT_IT_REFUSES("orderedRefusalsAreTheSameOnCopies"),
  LISTS_TOO_MUCH("noTypeIsLeftUntried"),
  LISTS_TOO_LITTLE("everythingComesOutAsItWentIn"),
  LISTS_WHAT_HAS_NO_CODEC("everyTypeHasACodec"),
  COUNTS_ACTORS("anyNumberOfActorsAnswersEqually"),
  KEEPS_BUFFERS_OF_CHUNKS("exchangesAnswerOnAnyNumberOfActors"),
  CHANGES_THE_ANCHOR("exchangesMayBeRepeated"),
  KEEPS_NOTHING("whatIsKeptAnswersAsTheOriginal"),
  ADDS_WHAT_IT_REFUSED("updatesAfterARefusedOne"),
  PREPARES_WHAT_IT_REFUSED("preparedAfterARefusedOne"),
  COMMITS_BEFORE_A_REFUSAL("refusedOnTopOfOthers"),
  SHOWS_WHAT_IS_PREPARED("preparedIsSeenAfterCommit"),
  KEEPS_WHAT_IS_ABORTED("abortLeavesNothingBehind"),
  ABORTS_THE_LAST_ALONE("abortOfSeveralLeavesNothingBehind"),
  PREPARES_ON_THE_COMMITTED("preparedTogetherIsAsOneAfterTheOther"),
  CHANGES_SNAPSHOTS("snapshotsStayAsTheyWere"),
  APPLIES_BEFORE_IT_WRITES("anUpdateOnAFailingDiskIsNeverHalf"),
  LEAVES_HALF_A_FILE("anUpdateOnAFailingDiskIsNeverHalf"),
  HIDES_A_FAILED_COMMIT("whatIsPreparedEndsWhollyOnAFailingDisk"),
  HIDES_A_FAILED_CHECKPOINT("aCheckpointOnAFailingDiskChangesNothing"),
  LOSES_WHAT_IT_CANNOT_SHOW("aRefreshOnAFailingDiskLosesNothing"),
  KEEPS_FILES_OPEN_IN_VAIN("anActorOpenedOnAFailingDiskIsWhole"),
  STARTS_WITHOUT_FILES("anActorCreatedOnAFailingDiskIsUsable"),
  TAKES_UNREADABLE_FOR_EMPTY("anyFileThatCannotBeReadIsNoticed");

  private final String check;

  Defect(String check) {
    this.check = check;
  }

  /** Returns the name of the check. */
  String check() {
    return check;
  }
}
