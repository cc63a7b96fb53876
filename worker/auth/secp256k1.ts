/**
 * Replaces `@noble/curves/secp256k1` in the bundle (`[alias]` in wrangler.toml). viem imports that module when it is first needed,
 * which keeps all of it: hashing to the curve and Schnorr signatures too, 2 KiB gzip that the worker never uses.
 */
export { secp256k1 } from '../../node_modules/viem/node_modules/@noble/curves/esm/secp256k1.js'
