// Replaces `apg-js/src/apg-lib/node-exports.js` in the bundle (see `[alias]` in wrangler.toml): what the sign-in message's
// parser uses of it. Left out are its tracer and its statistics, which write HTML and are 7 KiB gzip.
module.exports = {
  ids: require('apg-js/src/apg-lib/identifiers'),
  parser: require('apg-js/src/apg-lib/parser'),
  utils: require('apg-js/src/apg-lib/utilities'),
}
