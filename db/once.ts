/** A function that gives what `make` gave when it was called first. For what an isolate that starts has no time for. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
