import { createHash } from 'node:crypto'
import { type ObjectStore, StorageUnavailable } from '../../../worker/upstreams/store/object-store.ts'

/** A store that keeps bytes in memory. */
export function makeFakeStore() {
  const state = { down: false, objects: new Map<string, { bytes: Uint8Array; contentType: string }>() }
  const up = (): void => {
    if (state.down) throw new StorageUnavailable('the test store is down')
  }
  const store: ObjectStore = {
    async put(key, body, meta) {
      up()
      const bytes = new Uint8Array(
        await new Response(body instanceof Uint8Array ? new Uint8Array(body) : body).arrayBuffer(),
      )
      state.objects.set(key, { bytes, contentType: meta.contentType })
    },
    async head(key) {
      up()
      const object = state.objects.get(key)
      return object === undefined ? null : { contentType: object.contentType, length: object.bytes.length }
    },
    async sha256(key) {
      up()
      const object = state.objects.get(key)
      return object === undefined ? null : createHash('sha256').update(object.bytes).digest('hex')
    },
    async open(key) {
      up()
      const object = state.objects.get(key)
      const body = object && new Response(new Uint8Array(object.bytes)).body
      return object && body ? { body, contentType: object.contentType } : null
    },
    async copy(from, to) {
      up()
      const object = state.objects.get(from)
      if (object !== undefined) state.objects.set(to, object)
      return object !== undefined
    },
    async delete(key) {
      up()
      state.objects.delete(key)
    },
    publicUrl: (key) => `https://cdn.example/${key}`,
    check: async () => up(),
  }
  return Object.assign(store, { state })
}
