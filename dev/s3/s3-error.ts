/** A refusal in the form of S3, with Amazon's codes. */
export class S3Error extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Record<string, string>

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.name = 'S3Error'
    this.status = status
    this.code = code
    this.headers = headers
  }
}

export const accessDenied = (message = 'Access Denied'): S3Error => new S3Error(403, 'AccessDenied', message)
export const invalidRequest = (message: string): S3Error => new S3Error(400, 'InvalidRequest', message)
export const notImplemented = (what: string): S3Error =>
  new S3Error(501, 'NotImplemented', `${what} is not served here`)

export const errorXml = ({ code, message }: S3Error): string =>
  `${XML_HEAD}<Error><Code>${escapeXml(code)}</Code><Message>${escapeXml(message)}</Message></Error>`

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** Escapes text for XML; control characters become references, as in S3, although XML 1.0 allows few of them. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"\p{Cc}]/gu, (character) => `&#${character.charCodeAt(0)};`)
