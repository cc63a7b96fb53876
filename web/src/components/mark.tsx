/** The coin going into its slot. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <path class="mark-coin" d="M8.2 18a9 9 0 1 1 15.6 0Z" />
      <rect class="mark-slot" x="3" y="20" width="26" height="4" rx="2" />
    </svg>
  )
}
