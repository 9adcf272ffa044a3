import { type MouseEvent, useState } from 'react';
import { href, Link, useNavigate } from 'react-router';
import type { WatchableDemo } from './demonstrations.ts';

/** Watch Demo: a link to the demonstration's own page, which opens in a dialog where scripts run (P19). */
export function WatchDemo({ demonstration, className }: { demonstration: WatchableDemo; className: string }) {
  const [opened, setOpened] = useState(0);
  const [code, setCode] = useState<typeof import('./demo-dialog.tsx')>();
  const navigate = useNavigate();
  const address = `${href('/demo')}#${demonstration.id}`;

  async function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    try {
      setCode(await import('./demo-dialog.tsx'));
      setOpened(opened + 1);
    } catch {
      // The dialog's code could not be fetched; the page shows the same.
      navigate(address);
    }
  }

  return (
    <>
      <Link to={address} onClick={open} className={className}>
        Watch Demo
      </Link>
      {code && <code.DemoDialog key={opened} demonstration={demonstration} />}
    </>
  );
}
