import type { OutputShape } from '../engines/models.ts'
import type { RunScript } from './script.ts'

/** The output in the model's shape, or in the scripted one. */
export function shapeOutput(
  made: { urls: string[]; pieces: string[] },
  shape: OutputShape,
  script: RunScript | undefined,
): unknown {
  if (script?.output !== undefined) return script.output
  const parts = made.urls.length > 0 ? made.urls : made.pieces
  const single = made.urls[0] ?? made.pieces.join('')
  switch (script?.shape ?? shape) {
    case 'url':
    case 'string':
      return single
    case 'urls':
    case 'list':
    case 'pieces':
      return parts
    case 'audio_out':
      return { audio_out: single, prompt_npz: null }
    case 'object':
      return { result: single }
    case 'nested':
      return { result: { parts: [{ value: single, seconds: 1 }] }, note: 'made' }
    case 'none':
      return null
  }
}
