import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { type ReactNode, useEffect, useState } from 'react';
import { useRevalidator } from 'react-router';

type Props = {
  /** Makes a passkey, or shows one. */
  kind: 'add' | 'show';
  /** The address that gives the options and takes the answer. */
  at: string;
  /** The page after a passkey was used. */
  to?: string;
  className: string;
  children: ReactNode;
};

type Answer = { options?: unknown; to?: string; fault?: string };

/** Null when no answer of ours came back: no connection, or a proxy's page. */
async function send(at: string, fields: Record<string, string>): Promise<Answer | null> {
  try {
    const response = await fetch(at, { method: 'POST', body: new URLSearchParams(fields) });
    return response.headers.get('Content-Type')?.includes('json') ? await response.json() : null;
  } catch {
    return null;
  }
}

const unreached = 'That did not work. Please check your connection and load the page again.';

/** The passkey was made or used, and the result is not known. */
const lost = {
  add: 'We do not know whether it was added. Reload this page: it lists your passkeys.',
  show: 'We do not know whether that worked. Please load the page again.',
};

/** Why the browser made or showed no passkey, as far as it says so. */
function refusalOf(error: unknown): { fault: string; isThere?: true } {
  switch (error instanceof Error && error.name) {
    case 'InvalidStateError':
      return { fault: 'This device has a passkey for your account already.', isThere: true };
    case 'ConstraintError':
    case 'NotSupportedError':
      return {
        fault: 'This device cannot keep a passkey. Set up a screen lock or a PIN on it first, or use another device.',
      };
    default:
      // The browser does not say which: the person closed its dialog, or there is no passkey.
      return { fault: 'No passkey was used. You can try again.' };
  }
}

async function passkey({ kind, at, to = '' }: Pick<Props, 'kind' | 'at' | 'to'>) {
  const browser = await import('@simplewebauthn/browser').catch(() => null);
  const offered = browser && (await send(at, { step: 'options' }));
  if (!browser || !offered) return { fault: unreached };
  const { options } = offered;
  if (!options) return offered;
  try {
    const response =
      kind === 'add'
        ? await browser.startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
        : await browser.startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON });
    const done = await send(at, { step: 'answer', response: JSON.stringify(response), to });
    return done ?? { fault: lost[kind] };
  } catch (error) {
    return refusalOf(error);
  }
}

/** A button that uses the browser's passkeys; it is there only where the browser has them. */
export function PasskeyButton({ className, children, ...how }: Props) {
  const [known, setKnown] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const { revalidate } = useRevalidator();
  useEffect(() => setKnown('PublicKeyCredential' in window), []);
  if (!known) return null;

  const use = async () => {
    if (busy) return;
    setBusy(true);
    setFault(null);
    const done = await passkey(how);
    setBusy(false);
    if ('to' in done && done.to) return location.assign(done.to);
    setFault(done.fault ?? null);
    // An earlier answer was lost: the page's list does not have it yet.
    if ('isThere' in done) await revalidate();
  };
  return (
    <>
      {/* While it is busy it keeps the focus, which a disabled button loses. */}
      <button type="button" onClick={use} aria-disabled={busy || undefined} className={className}>
        {children}
      </button>
      {fault && (
        <span role="alert" className="mt-2 block font-semibold text-fault">
          {fault}
        </span>
      )}
    </>
  );
}
