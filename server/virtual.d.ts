declare module 'virtual:document-thread' {
  /** The built file of server/document-thread.ts, as a file: address; null in development, which has none. */
  export const file: string | null;
}
