import { DataIntegrityProof } from '@digitalbazaar/data-integrity';
import * as Ed25519 from '@digitalbazaar/ed25519-multikey';
import { cryptosuite } from '@digitalbazaar/eddsa-rdfc-2022-cryptosuite';
import * as vc from '@digitalbazaar/vc';
import { createList } from '@digitalbazaar/vc-bitstring-status-list';
import type { BadgeResults, BadgeTask, OpenKey } from './badge.ts';
import { documentLoader } from './contexts.ts';
import type { SignedJson } from './documents.ts';

/** The bits of a list: the least that the specification allows, so that nobody can be told from the length. */
export const listLength = 131_072;

/** Does one task in this thread. It loads large packages, so only the badge thread and tests call it. */
export async function doHere(task: BadgeTask): Promise<BadgeResults[BadgeTask['kind']]> {
  switch (task.kind) {
    case 'make-key':
      return makeKey();
    case 'sign':
      return sign(task.document, task);
    case 'sign-list': {
      const list = await createList({ length: listLength });
      for (const index of task.revoked) list.setStatus(index, true);
      return sign(withList(task.document, await list.encode()), task);
    }
    case 'verify':
      return verify(task.document, task.didDocument);
  }
}

async function makeKey(): Promise<BadgeResults['make-key']> {
  const exported = await (await Ed25519.generate()).export({ publicKey: true, secretKey: true });
  return { publicKey: exported.publicKeyMultibase, secretKey: exported.secretKeyMultibase };
}

function withList(document: object, encodedList: string): object {
  const { credentialSubject } = document as { credentialSubject: object };
  return { ...document, credentialSubject: { ...credentialSubject, encodedList } };
}

/** Signs by eddsa-rdfc-2022, with the proof in an array as 1EdTech has it. */
async function sign(credential: object, { key, at }: { key: OpenKey; at: string }): Promise<SignedJson> {
  const pair = await Ed25519.from({
    '@context': 'https://w3id.org/security/multikey/v1',
    id: key.id,
    type: 'Multikey',
    controller: key.controller,
    publicKeyMultibase: key.publicKey,
    secretKeyMultibase: key.secretKey,
  });
  const suite = new DataIntegrityProof({ signer: pair.signer(), cryptosuite, date: at });
  // The package changes its argument.
  const signed = await vc.issue({ credential: structuredClone(credential), suite, documentLoader: documentLoader() });
  return { ...signed, proof: [signed.proof] };
}

/**
 * Whether a document is signed by a key of the DID document that may sign. Whether it was revoked is not asked here:
 * our own records say that.
 */
async function verify(document: SignedJson, didDocument: object): Promise<BadgeResults['verify']> {
  const did = didDocument as { id: string; verificationMethod: readonly { id: string }[] };
  const given: Record<string, object> = { [did.id]: didDocument };
  for (const method of did.verificationMethod) {
    given[method.id] = { '@context': 'https://w3id.org/security/multikey/v1', ...method };
  }
  const result = await vc.verifyCredential({
    credential: structuredClone(document),
    suite: new DataIntegrityProof({ cryptosuite }),
    documentLoader: documentLoader(given),
    checkStatus: async () => ({ verified: true }),
  });
  if (result.verified) return { verified: true };
  const whys = result.error?.errors ?? [result.error];
  return { verified: false, why: whys.map(String).join('; ') };
}
