// Replaces `apg-js/src/apg-conv-api/converter.js` in the bundle (see `[alias]` in wrangler.toml): what the sign-in message's parser
// uses of it, a text as code points and back. Left out are its other encodings, which are 4 KiB gzip.
const isLoneSurrogate = (point) => point >= 0xd800 && point <= 0xdfff

exports.decode = (type, text) => {
  if (type !== 'STRING') throw new TypeError(`not supported here: ${type}`)
  const points = Array.from(text, (character) => character.codePointAt(0))
  if (points.some(isLoneSurrogate)) throw new RangeError('the text has a lone surrogate')
  return points
}

exports.encode = (type, points) => {
  if (type !== 'UTF16LE') throw new TypeError(`not supported here: ${type}`)
  return { toString: () => points.map((point) => String.fromCodePoint(point)).join('') }
}
