import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { type ReactNode, useEffect, useState } from 'react';

type Props = {
  /** Makes a passkey, or shows one. */
  kind: 'add' | 'show';
  /** The address that gives the options and takes the answer. */
  at: string;
  /** Where to go afterwards, for showing one. */
  to?: string;
  className: string;
  /** Words before the button, there only with it. */
  before?: string;
  children: ReactNode;
};

type Answer = { options?: unknown; to?: string; fault?: string };

async function send(at: string, fields: Record<string, string>): Promise<Answer> {
  const response = await fetch(at, { method: 'POST', body: new URLSearchParams(fields) });
  if (response.headers.get('Content-Type')?.includes('json')) return response.json();
  return { fault: 'That did not work. Please load the page again.' };
}

/** A button that uses the browser's passkeys; it is there only where the browser has them. */
export function PasskeyButton({ kind, at, to = '', className, before, children }: Props) {
  const [known, setKnown] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => setKnown('PublicKeyCredential' in window), []);
  if (!known) return null;

  const use = async () => {
    setBusy(true);
    setFault(null);
    try {
      const { startAuthentication, startRegistration } = await import('@simplewebauthn/browser');
      const { options, fault: refused } = await send(at, { step: 'options' });
      if (!options) return setFault(refused ?? null);
      const response =
        kind === 'add'
          ? await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
          : await startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON });
      const done = await send(at, { step: 'answer', response: JSON.stringify(response), to });
      if (done.to) return location.assign(done.to);
      setFault(done.fault ?? null);
    } catch {
      // The browser does not say which: the person closed its dialog, or there is no passkey.
      setFault('No passkey was used. You can try again.');
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {before}
      <button type="button" onClick={use} disabled={busy} className={className}>
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
