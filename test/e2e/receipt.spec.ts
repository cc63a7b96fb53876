import { readFile } from 'node:fs/promises'
import { expect, goToReview, openStudio, result, signButton, test } from './support/site.ts'

test('default: a receipt is valid, its picture matches, and one changed letter is found', async ({ page, wallet }) => {
  await openStudio(page)
  await goToReview(page, 'a receipt on a counter')
  await signButton(page).click()
  const picture = result(page).getByRole('img').first()
  await expect(picture).toBeVisible()
  const url = (await picture.getAttribute('src')) ?? ''
  await result(page).getByRole('link', { name: 'Details' }).click()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Signed receipt' }).click(),
  ])
  const receipt = await readFile(await saved.path())
  const file = (buffer: Buffer) => ({ name: 'receipt.json', mimeType: 'application/json', buffer })

  await page.goto('/receipt')
  await page.getByLabel('Receipt (JSON)').setInputFiles(file(receipt))
  await expect(page.getByText('Valid: signed by this service', { exact: false })).toBeVisible()
  await expect(page.locator('.quote-lines')).toContainText(wallet.account.address)

  const media = Buffer.from(await (await fetch(url)).arrayBuffer())
  await page
    .getByLabel('Compare a file with output 1')
    .setInputFiles({ name: 'a.webp', mimeType: 'image/webp', buffer: media })
  await expect(page.getByText('The file matches.')).toBeVisible()

  const forged = receipt.toString().replace('flux-schnell', 'flux-schnelL')
  await page.getByLabel('Receipt (JSON)').setInputFiles(file(Buffer.from(forged)))
  await expect(page.getByText('Not signed by this service', { exact: false })).toBeVisible()
  await page.getByLabel('Receipt (JSON)').setInputFiles(file(Buffer.from('{"hello":1}')))
  await expect(page.getByText('This file is not a receipt.')).toBeVisible()
})
