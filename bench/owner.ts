/** Who a source file belongs to: a package by its name, a file of this repository by its first two folders. */
export function ownerOf(file: string): string {
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]
  return inPackage ?? file.split('/').slice(0, 2).join('/')
}
