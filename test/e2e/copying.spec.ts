import { expect, openStudio, payButton, paymentDialog, promptBox, test } from './support/site.ts'

test('error: B7 a copy that the browser refuses shows the text, and a click selects it', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await openStudio(page)
  await promptBox(page).fill('a heron')
  await payButton(page).click()
  await paymentDialog(page).getByRole('button', { name: 'Copy my prompt' }).click()
  const shown = paymentDialog(page).getByRole('alert').filter({ hasText: 'Could not copy' })
  await expect(shown).toContainText('a heron')
  await shown.getByText('a heron').click()
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('a heron')
})

test('error: G6 a draft in the fragment fills the form and leaves the address bar', async ({ page }) => {
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url()))
  await page.goto('/#model=black-forest-labs%2Fflux-schnell&prompt=a+heron')
  await expect(promptBox(page)).toHaveValue('a heron')
  await expect(page).toHaveURL('/')
  expect(sent.filter((url) => url.includes('heron') && new URL(url).search !== '')).toEqual([])
})
