import { useMemo, useRef } from 'react';
import { Link } from 'react-router';
import { arrivedTo, type InboxView, inboxTo } from './inbox-address.ts';
import { useArrived } from './use-arrived.ts';

/** Says how much has arrived since the page was read, with a link that reads it again. It never changes the rows. */
export function Arrived({ view, rows }: { view: InboxView; rows: readonly { key: string }[] }) {
  const keys = useMemo(() => rows.map(({ key }) => key), [rows]);
  const count = useArrived(keys, view.show === 'open' ? arrivedTo(view) : null);
  const line = useRef<HTMLParagraphElement>(null);
  return (
    <p role="status" tabIndex={-1} ref={line} className="outline-none">
      {count > 0 && (
        <>
          {count} new.{' '}
          <Link
            to={inboxTo(view)}
            // The link disappears with its text; the line stays.
            onClick={() => line.current?.focus()}
            className="font-semibold text-link underline-offset-3 hover:underline"
          >
            {count === 1 ? 'Show it' : 'Show them'}
          </Link>
        </>
      )}
    </p>
  );
}
