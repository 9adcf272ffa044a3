import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';

/** The way back to the list or page that this one belongs to. */
export function Back({ to, children }: { to: string; children: ReactNode }) {
  return (
    <p className="mb-3 text-sm print:hidden">
      <TextLink to={to}>{children}</TextLink>
    </p>
  );
}

export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="font-bold text-link underline underline-offset-4">
      {children}
    </Link>
  );
}

/** Leads to a file to download. */
export function FileLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} className="font-bold text-link underline underline-offset-4">
      {children}
    </a>
  );
}

export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h2 id={id} className="mb-2 text-lg">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Something in words where a list would be; `wide` as the list. */
export function Words({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  return <p className={`rounded-control border border-line bg-card ${wide ? 'p-5' : 'max-w-prose p-4'}`}>{children}</p>;
}

type FactsProps = {
  facts: readonly (readonly [string, ReactNode])[];
  /** Whether its figures are to be as wide as one another. */
  tabular?: boolean;
};

/** Facts with their names; those without a value are left out. */
export function Facts({ facts, tabular = true }: FactsProps) {
  return (
    <dl className="grid gap-2 rounded-control border border-line bg-card p-4 text-sm">
      {facts.map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <dt className="text-mute">{label}</dt>
              <dd className={`font-semibold wrap-anywhere ${tabular ? 'tabular' : ''}`}>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** A table that scrolls sideways where it does not fit. */
export function Table({ head, label, children }: { head: readonly string[]; label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <div tabIndex={0} className="overflow-x-auto rounded-control border border-line bg-card">
      <table aria-label={label} className="w-full min-w-[36rem] border-collapse text-left text-sm">
        <thead>
          <tr className="border-b border-line text-mute">
            {head.map((text) => (
              <th key={text} scope="col" className="px-3 py-2 font-semibold">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="tabular [&_td]:px-3 [&_td]:py-2 [&_td]:align-top [&_tr:not(:last-child)]:border-b [&_tr]:border-line">
          {children}
        </tbody>
      </table>
    </div>
  );
}

type Entry = {
  id: number;
  by: string | null;
  did: string;
  at: string;
  /** More about it, in small letters. */
  details?: string | null;
  /** What the person wrote. */
  body?: string;
};

/** What staff did to something, oldest first. */
export function History({ title = 'Staff activity', entries }: { title?: string; entries: readonly Entry[] }) {
  return (
    <Panel title={title}>
      {entries.length === 0 && <p className="text-mute">Nothing yet.</p>}
      <ol className="grid gap-3">
        {entries.map(({ id, by, did, at, details, body }) => (
          <li key={id} className="border-l-3 border-edge pl-4">
            <p className="text-sm">
              <b>{by}</b> {did} <span className="tabular text-mute">{at}</span>
            </p>
            {details && <p className="break-words text-sm text-mute">{details}</p>}
            {body && <p className="mt-1 whitespace-pre-wrap break-words">{body}</p>}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

const looks = {
  calm: 'border-edge text-ink',
  open: 'border-action bg-action text-white',
  over: 'border-line text-mute',
  alarm: 'border-fault text-fault',
};

/** A word for the state of something. */
export function Pill({ look, children }: { look: keyof typeof looks; children: ReactNode }) {
  return (
    <span className={`inline-block rounded-full border px-2.5 py-0.5 text-xs font-bold ${looks[look]}`}>
      {children}
    </span>
  );
}
