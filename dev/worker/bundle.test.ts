import { expect, it } from 'vitest'
import { bundleFault } from './bundle.ts'

const failed = (more: object): Error => Object.assign(new Error('failed'), { stdout: '', stderr: '', ...more })

it('error: C2 a bundler that was ended for its time is not called a fault of the sources', () => {
  const { message } = bundleFault('wrangler.toml', failed({ killed: true, stderr: 'building' }))
  expect(message).toBe('wrangler.toml was not bundled within 10 minutes: the machine may be busy. Try again.\nbuilding')
})

it('error: C2 a bundler that fails says why', () => {
  const { message } = bundleFault('wrangler.toml', failed({ killed: false, stderr: 'no such file' }))
  expect(message).toBe('wrangler.toml cannot be bundled:\nno such file')
})
