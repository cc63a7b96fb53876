/** The address if it is http or https, else null. */
export function safeUrl(url: string): string | null {
  try {
    const { protocol, href } = new URL(url)
    return protocol === 'https:' || protocol === 'http:' ? href : null
  } catch {
    return null
  }
}

/** Copies text to the clipboard. False if the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Saves a file of another origin under a name. False if its server does not allow reading it. */
export async function saveFile(url: string, name: string): Promise<boolean> {
  try {
    const response = await fetch(url, { credentials: 'omit' })
    if (!response.ok) return false
    saveBlob(await response.blob(), name)
    return true
  } catch {
    return false
  }
}

/** Saves a file to the browser's downloads. */
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Copies a picture to the clipboard as PNG, the one format that every clipboard accepts. */
export async function copyPicture(url: string): Promise<boolean> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': toPng(url) })])
    return true
  } catch {
    return false
  }
}

async function toPng(url: string): Promise<Blob> {
  const response = await fetch(url, { credentials: 'omit' })
  const bitmap = await createImageBitmap(await response.blob())
  const canvas = document.createElement('canvas')
  canvas.width = bitmap.width
  canvas.height = bitmap.height
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('no picture')) : resolve(blob)), 'image/png')
  })
}
