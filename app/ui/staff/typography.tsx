import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { unbroken } from '#app/ui/staff/unbroken.tsx';
import { Section } from './page-head.tsx';

/** The way back to the list or page that this one belongs to. */
export function Back({ to, children }: { to: string; children: ReactNode }) {
  return (
    <p className="mb-3 text-sm print:hidden">
      <TextLink to={to}>{children}</TextLink>
    </p>
  );
}

/** A link in text, to what something is about: underlined in the colour of rules. */
export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={textLink}>
      {unbroken(children)}
    </Link>
  );
}

/** An email address, which goes on in the next line before its @ where it does not fit. */
export function EmailText({ children }: { children: string }) {
  const at = children.lastIndexOf('@');
  return (
    <span className="wrap-anywhere">
      {children.slice(0, at)}
      <wbr />
      {children.slice(at)}
    </span>
  );
}

/** The name of a record in a list, which leads to it. */
export function RecordLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="font-semibold underline-offset-3 hover:underline">
      {children}
    </Link>
  );
}

/** Leads to a file to download. */
export function FileLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} className={textLink}>
      {children}
    </a>
  );
}

const textLink =
  'font-medium underline decoration-edge decoration-1 underline-offset-3 hover:text-link hover:decoration-current';

/** A link that does something, or leads to where it is done. */
export function ActLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="font-semibold text-link underline-offset-3 hover:underline">
      {children}
    </Link>
  );
}

export function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Section title={title}>
      <div className="pt-2 has-[>dl.border-t:first-child]:pt-0 has-[>div>table]:pt-0 has-[>ul:first-child]:pt-0 [&>:is(ul,dl).border-t]:border-t-0">
        {children}
      </div>
    </Section>
  );
}

/** Something in words where a list would be; `wide` as the list. */
export function Words({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  return <p className={`py-2 ${wide ? 'border-y border-line' : 'max-w-prose'}`}>{children}</p>;
}

type FactsProps = {
  facts: readonly (readonly [string, ReactNode])[];
  /** Whether its figures are to be as wide as one another. */
  tabular?: boolean;
};

/** Facts with their names; those without a value are left out. */
export function Facts({ facts, tabular = true }: FactsProps) {
  return (
    <dl className="grid border-t border-rule">
      {facts.map(
        ([label, value]) =>
          value && (
            <div
              key={label}
              className="grid grid-cols-[minmax(0,7rem)_minmax(0,1fr)] gap-x-4 border-b border-line py-1.5"
            >
              <dt className="text-mute">{label}</dt>
              <dd className={`wrap-anywhere ${tabular ? 'tabular' : ''}`}>
                {typeof value === 'string' && value.includes('@') ? <EmailText>{value}</EmailText> : value}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

type Head = string | { text: string; right?: true; className?: string };

type TableProps = {
  /** The names of the columns; money and counts are aligned right. */
  head: readonly Head[];
  label: string;
  /** Rows of 32 px (lists), 36 (work) or as high as their text. */
  rows?: 'dense' | 'work' | 'text';
  /** Below which width it scrolls sideways. */
  minWidth?: string;
  /** On a phone its cells are below one another, `data-head` before their text, and nothing scrolls. */
  stacks?: boolean;
  children: ReactNode;
};

const heights = {
  dense: '[&_td]:h-8 [&_td]:py-0',
  work: '[&_td]:h-9 [&_td]:py-0',
  text: '[&_td]:py-1.5 [&_td]:align-baseline',
};

/** A true table between hairlines. Where it does not fit it scrolls sideways, or stacks. */
export function Table({
  head,
  label,
  rows = 'text',
  minWidth = 'min-w-[36rem]',
  stacks = false,
  children,
}: TableProps) {
  return (
    <Sideways>
      <table aria-label={label} className={`w-full border-collapse text-left ${minWidth} ${stacks ? 'stacks' : ''}`}>
        <thead>
          <tr className="border-b border-rule text-xs text-mute">
            {head.map((one) => {
              const { text, right, className = '' } = typeof one === 'string' ? { text: one } : one;
              return (
                <th
                  key={text}
                  scope="col"
                  className={`h-7 pr-3 font-medium whitespace-nowrap last:pr-0 ${right ? 'text-right' : ''} ${className}`}
                >
                  {text}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody
          className={`tabular [&_td]:pr-3 [&_td:last-child]:pr-0 [&_tr]:border-b [&_tr]:border-line [&_tr]:hover:bg-hover ${heights[rows]}`}
        >
          {children}
        </tbody>
      </table>
    </Sideways>
  );
}

type Entry = {
  id: number;
  by: string | null;
  did: string;
  at: string;
  /** More about it, in small letters. */
  details?: string | null;
  /** The text that the person wrote. */
  body?: string;
};

/** The acts of staff on a subject, oldest first. */
export function History({ entries }: { entries: readonly Entry[] }) {
  return (
    <Panel title="What happened">
      {entries.length === 0 && <p className="text-mute">Nothing yet.</p>}
      <ol className="grid gap-3">
        {entries.map(({ id, by, did, at, details, body }) => (
          <li key={id} className="border-l-2 border-straw pl-3">
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
  calm: 'text-mute',
  open: 'font-semibold text-ink',
  over: 'text-mute',
  alarm: 'font-semibold text-fault',
};

/** A word for the state of something: what waits for staff has a treasure before it. */
export function Pill({ look, children }: { look: keyof typeof looks; children: ReactNode }) {
  return (
    <span className={`inline-flex items-center gap-1.5 text-sm whitespace-nowrap ${looks[look]}`}>
      {look === 'open' && (
        <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5 shrink-0 fill-stalk">
          <path d="m5 .5 4 4.5-4 4.5L1 5Z" />
        </svg>
      )}
      {children}
    </span>
  );
}

/** A wide table, which scrolls by itself and is reached by the keyboard. */
export function Sideways({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <div tabIndex={0} className="sideways focus-visible:-outline-offset-2">
      {children}
    </div>
  );
}
