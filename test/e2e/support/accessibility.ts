import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/**
 * No page has a frame of another origin, so no other page needs to gather the results. What passes is not listed: naming each
 * element takes longer than the checks. Where the document still has axe from an earlier check, it is not injected again.
 */
async function axe(page: Page): Promise<AxeBuilder> {
  const isInjected = await page.evaluate(() => 'axe' in window)
  const builder = new AxeBuilder(isInjected ? { page, axeSource: 'undefined' } : { page })
  return builder.setLegacyMode().options({ resultTypes: ['violations'] })
}

/** Expects that axe finds nothing in a language. Its colors are those of every language, and their check is the slowest. */
export async function expectAccessibleWords(page: Page, name: string): Promise<void> {
  await expectNothing((await axe(page)).disableRules(['color-contrast']), name)
}

/** The same in light and dark. They differ in colors only, so the second check needs one rule. */
export async function expectAccessibleInBoth(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await expectNothing(await axe(page), `${name}, light`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNothing((await axe(page)).withRules(['color-contrast']), `${name}, dark`)
}

async function expectNothing(builder: AxeBuilder, name: string): Promise<void> {
  const { violations } = await builder.analyze()
  expect(violations.map(({ id, nodes }) => [name, id, nodes.map(({ html }) => html)])).toEqual([])
}
