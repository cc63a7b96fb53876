import { createMemo, Show } from 'solid-js'
import { encode } from 'uqr'

/** A QR code of a text. Shows nothing if the text is too long for one. */
export function QrCode(props: { text: string; label: string }) {
  const drawn = createMemo(() => drawingOf(props.text))
  return (
    <Show when={drawn()}>
      {(code) => (
        <svg
          class="qr-code"
          viewBox={`-4 -4 ${code().size + 8} ${code().size + 8}`}
          role="img"
          aria-label={`QR code: ${props.label}`}
        >
          <path d={code().path} />
        </svg>
      )}
    </Show>
  )
}

function drawingOf(text: string): { size: number; path: string } | null {
  try {
    const { data, size } = encode(text, { border: 0 })
    const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
    return { size, path }
  } catch (cause) {
    if (cause instanceof RangeError) return null
    throw cause
  }
}
