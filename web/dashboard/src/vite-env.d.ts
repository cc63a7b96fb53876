/** The text of contracts/launch/<network>.json; null when there is no such file. */
declare const __LAUNCH_PLAN__: string | null
