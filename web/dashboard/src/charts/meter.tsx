import { For } from 'solid-js'
import { along } from './scale.ts'

interface MeterProps {
  parts: readonly { amount: bigint; colour: string }[]
  whole: bigint
  /** A mark across the bar, such as the soft cap. */
  mark?: bigint
  label: string
}

/** Parts of a whole as one bar. */
export function Meter(props: MeterProps) {
  const parts = () => {
    let before = 0n
    return props.parts.map(({ amount, colour }) => {
      const x = along(before, props.whole, 100)
      before += amount
      return { colour, x, width: along(amount, props.whole, 100) }
    })
  }
  return (
    <svg class="meter" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label={props.label}>
      <For each={parts()}>{({ colour, x, width }) => <rect class={colour} x={x} width={width} height="10" />}</For>
      {props.mark === undefined ? null : <path class="meter-mark" d={`M${along(props.mark, props.whole, 100)} 0V10`} />}
    </svg>
  )
}
