import { beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetAccount } from '../../../shared/storage.ts'
import { keepDraft, keptDraft, markDraftPaid } from './draft-store.ts'

const form = { task: 'text-to-image', chosen: {}, prompt: 'a heron', values: { negative_prompt: 'people' } } as const

beforeEach(() => {
  vi.stubGlobal('window', { sessionStorage: { setItem: () => undefined, getItem: () => null } })
  keepDraft({ ...form, paid: '' })
})

describe('another account', () => {
  it('default: what was typed and not paid for stays, also settings without a prompt', () => {
    forgetAccount()
    expect(keptDraft()).toMatchObject(form)
    keepDraft({ ...form, prompt: '' })
    forgetAccount()
    expect(keptDraft()).toMatchObject({ ...form, prompt: '' })
  })

  it('behavior: what was paid for goes with its settings, also after the prompt was emptied', () => {
    for (const prompt of [form.prompt, '']) {
      keepDraft(form)
      markDraftPaid()
      keepDraft({ ...form, prompt })
      forgetAccount()
      expect(keptDraft()).toMatchObject({ prompt: '', values: {}, paid: '' })
    }
  })

  it('behavior: a prompt typed after the payment stays, and the paid one is forgotten', () => {
    markDraftPaid()
    keepDraft({ ...form, prompt: 'a boat' })
    forgetAccount()
    expect(keptDraft()).toMatchObject({ ...form, prompt: 'a boat', paid: '' })
  })
})
