import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { unbroken } from '#app/ui/staff/unbroken.tsx';

type TabsProps = {
  /** The label, for screen readers. */
  label: string;
  tabs: readonly { to: string; text: string; current: boolean; count?: string }[];
};

/** Pages or views beside one another; the shown one has a straw under it. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav aria-label={label} className="mb-3 overflow-x-auto shadow-[inset_0_-1px_var(--rule)] print:hidden">
      <ul className="flex w-max gap-5">
        {tabs.map(({ to, text, current, count }) => (
          <li key={to}>
            <Link
              to={to}
              aria-current={current ? 'page' : undefined}
              className="flex min-h-9 items-center gap-2 border-b-2 border-transparent whitespace-nowrap text-mute hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-stalk aria-[current=page]:font-semibold aria-[current=page]:text-ink"
            >
              {text}
              {count !== undefined && <span className="text-xs">{count}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type PageHeadProps = {
  title: ReactNode;
  /** A word or two beside it. */
  beside?: ReactNode;
  /** The acts, most used first. */
  children?: ReactNode;
};

/** The head of a page: its title, with its acts to the right. */
export function PageHead({ title, beside, children }: PageHeadProps) {
  return (
    <div className="mb-4 flex flex-wrap items-baseline gap-x-4 gap-y-2">
      <h1 className="text-2xl">{title}</h1>
      {beside && <p className="text-mute max-lg:order-1 max-lg:w-full">{unbroken(beside)}</p>}
      {children && (
        <div className="ml-auto flex flex-wrap gap-2 self-start max-sm:order-2 max-sm:w-full">{children}</div>
      )}
    </div>
  );
}

type SectionProps = {
  title: string;
  /** Its figures in a few words, each a link. */
  beside?: ReactNode;
  /** At the right end: what can be done, or tabs. */
  end?: ReactNode;
  /** The section's own anchor. */
  id?: string;
  children: ReactNode;
};

/** A part of a page under a head with a rule. */
export function Section({ title, beside, end, id, children }: SectionProps) {
  const own = useId();
  return (
    <section aria-labelledby={own} id={id} className="min-w-0">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-rule pb-1.5">
        <h2 id={own} className="text-lg">
          {title}
        </h2>
        {beside && <p className="text-sm text-mute">{beside}</p>}
        {end && <div className="ml-auto text-sm">{end}</div>}
      </div>
      {children}
    </section>
  );
}
