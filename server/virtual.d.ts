declare module 'virtual:document-thread' {
  /** The built file of server/document-thread.ts, as a file: address; null in development, which has none. */
  export const file: string | null;
}

declare module 'virtual:badge-thread' {
  /** The same of server/badge-thread.ts. */
  export const file: string | null;
}

declare module 'virtual:email-thread' {
  /** The same of server/email-thread.ts. */
  export const file: string | null;
}
