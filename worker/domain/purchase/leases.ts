/**
 * Every time of the purchase, in milliseconds. The table under "Time" in `docs/design/purchase.md` lists the same names and
 * values, and a test compares them.
 */
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Lease of a claim, and while `/settle` is under way. `/verify` may take 5 s and `/settle` 30 s; no other driver reads the chain before. */
export const settleLeaseMs = 35 * second
/** A receipt is waited for until this long after the call arrived. */
export const confirmWithinMs = 50 * second
export const confirmFirstPollMs = 50
export const confirmPollMs = 500
/** Lease while a receipt is waited for, counted from the end of that wait. */
export const confirmLeaseMs = 5 * second
/** A paid call is answered this long after it arrived, finished or not. */
export const answerWithinMs = 55 * second
/** With less validity left, a second `/settle` would come too late. */
export const resendValidityMs = 10 * second

/** The start of a run waits this long for its end where the caller waits for the result. Whole seconds; part of the 15 s of that call. */
export const startWaitMs = 5 * second
/** A start later than this after the settled mark is held, like one where an earlier run may exist. */
export const startSoonMs = 2 * second
/** A start that the provider throttles is sent again, with a hold, for so long in all. */
export const throttledStartMs = 10 * second
/** Lease while a model runs; renewed when half is left. Long enough to start a prediction and write its id. */
export const runLeaseMs = 30 * second
/** A prediction that is not found this long after the settled mark was never started. */
export const startUnseenAfterMs = minute
/** No other driver may look for a prediction that is being started: the call takes up to 15 s, the list lags up to 60 s. */
export const startHoldMs = 90 * second
/** Predictions created this long before the claim are still found: clocks of provider and worker differ. */
export const searchSkewMs = 30 * second
/** The buyer's own call waits this long for the model; then the scheduled job takes over. */
export const waitForModelMs = 10 * minute
/** The provider ends a run after 30 minutes. A run that has not ended by this time never will. */
export const runDeadlineMs = 45 * minute
/** Backoff: the waits before the second to sixth try of a settled purchase whose provider or storage cannot be reached. */
export const retryDelaysMs = [30 * second, minute, 5 * minute, 30 * minute, 2 * hour]

/** Lease of a driver that is not the buyer's call: one step without waiting, such as a copy of a large file. */
export const reconcileLeaseMs = minute
/** A status call drives a stuck purchase at most this often. */
export const driveEveryMs = 2 * second
/** A status call waits this long for the step it took; the step continues without it. */
export const waitForStepMs = 5 * second

/** A transfer mined this long before the claim still counts as made for it: clocks of chain and worker differ. */
export const claimSkewMs = 30 * second
/** The search for a spent nonce begins this long before the claim: a transfer found there was not made for it. */
export const searchBackMs = hour
/** It ends this long after `validBefore`. */
export const searchPastMs = hour
/** The chain is read this long after `validBefore`, when a block of that time should exist. */
export const expiryMarginMs = 5 * second
/** How often the chain is read for an unclear settlement: soon after it was sent, and once it is long past `validBefore`. */
export const chainCheckMs = 10 * second
export const lateChainCheckMs = 5 * minute
/** Past `validBefore` by this much, an unclear settlement is read at the slower pace. */
export const lateAfterMs = 2 * minute
/** Wait before the chain is read again when it could not say whether a row that awaits its purge was paid. */
export const purgeCheckMs = minute
/** Age at which an unpaid row is deleted. */
export const purgeClaimedMs = hour
export const purgeRejectedMs = 24 * hour
