import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import type { HistoryEntry } from '#app/routes/staff/history.server.ts';
import { button } from '#app/ui/button.ts';
import { type FormState, tokenField } from '#app/ui/form-state.ts';

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

/** Something in words where a list would be. */
export function Words({ children }: { children: ReactNode }) {
  return <p className="max-w-prose rounded-control border border-line bg-card p-4">{children}</p>;
}

export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid gap-2 rounded-control border border-line bg-card p-4 text-sm">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt className="text-mute">{label}</dt>
          <dd className="tabular break-words font-semibold">{value}</dd>
        </div>
      ))}
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

export function History({ entries }: { entries: readonly HistoryEntry[] }) {
  return (
    <Panel title="What staff did">
      {entries.length === 0 && <p className="text-mute">Nothing yet.</p>}
      <ol className="grid gap-3">
        {entries.map(({ id, by, did, details, at }) => (
          <li key={id} className="border-l-3 border-edge pl-4 text-sm">
            <p>
              <b>{by}</b> {did} <span className="tabular text-mute">{at}</span>
            </p>
            {details && <p className="break-words text-mute">{details}</p>}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** What each form of such a page carries: which it is, the key under which it is taken once, and what the page showed. */
export function ActFields({ form, act }: { form: FormState; act: string }) {
  return (
    <>
      <input type="hidden" name="act" value={act} />
      <input type="hidden" name={tokenField} value={form.token} />
      <input type="hidden" name="seen" value={form.values.seen} />
    </>
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

/** The button that does what a page asks about, and the way out. */
export function ActOrLeave({ back, sending, children }: { back: string; sending: boolean; children: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-3">
      <button type="submit" disabled={sending} className={button.primary}>
        {children}
      </button>
      <Link to={back} className={button.quiet}>
        Leave it as it is
      </Link>
    </div>
  );
}
