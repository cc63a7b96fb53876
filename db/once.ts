/** A function that calls `make` at its first call and returns that value ever after. It keeps work out of an isolate's start. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
