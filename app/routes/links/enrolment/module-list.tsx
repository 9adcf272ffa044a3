import { Form, href, Link, useNavigation } from 'react-router';
import type { ModuleShown, ModulesShown } from '#app/features/enrolments/modules.ts';
import { button } from '#app/ui/button.ts';
import { Sign } from '#app/ui/sign.tsx';

const textLink = 'font-bold text-link underline underline-offset-4';

/**
 * The modules of guided study on the attendee's page, each with a button to open it and the effect on the refund (P40).
 */
export function ModuleList({ shown, token }: { shown: ModulesShown; token: string }) {
  const { placeId, count, opening, begins, ends, effect, modules } = shown;
  const empty = modules.some(({ openedOn, written }) => openedOn === null && !written);
  return (
    <>
      <h2 className="mt-3 text-xl">Modules</h2>
      <p className="tabular font-semibold">{count}</p>
      {opening === 'early' && (
        <p>
          Your study begins on {begins}. You can open a module earlier; your study then starts on that day. Access ends
          on {ends}.
        </p>
      )}
      {opening === 'open' && <p>Access ends on {ends}. A module you have opened stays open to you until then.</p>}
      {opening === 'overdue' && <Overdue />}
      {effect && <p>{effect}</p>}
      {effect && empty && (
        <p>
          A module whose text is not here yet comes from your instructor, by the end of the business day after you open
          it. Until it is here, it takes nothing off the refund.
        </p>
      )}
      <ol className="grid gap-4">
        {modules.map((module) => (
          <li key={module.number} className="grid gap-3 rounded-card border border-line p-4 sm:p-5">
            <div>
              <h3 className="text-lg">
                <span className="tabular text-link">{module.number}.</span> {module.title}
              </h3>
              <p className="text-mute">{stateOf(module)}</p>
            </div>
            <Topics topics={module.topics} />
            {(module.openedOn !== null || opening === 'open' || opening === 'early') && (
              <div className="no-print">
                <Way module={module} opening={opening} token={token} placeId={placeId} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

/** Whether a module was opened, as a sentence. */
export function stateOf({ openedOn, written, comesBy }: ModuleShown): string {
  if (openedOn !== null) return `Opened on ${openedOn}`;
  if (comesBy !== null) return `Comes from your instructor by the end of ${comesBy}`;
  return written ? 'Not opened yet' : 'Not opened yet, text to come';
}

/** Why no further module opens, and how to pay (P105). */
export function Overdue() {
  return (
    <p className="rounded-control border-2 border-straw p-4">
      <b>The invoice for this place is overdue.</b> You can open further modules once it is paid. How to pay is on the
      invoice and on the page of the enrolment. If you enrolled yourself,{' '}
      <Link to={href('/enrolments')} className={textLink}>
        have the link to that page sent again
      </Link>
      .
    </p>
  );
}

/** The topics of a module, folded away with the browser's own means. */
function Topics({ topics }: Pick<ModuleShown, 'topics'>) {
  if (topics.length === 0) return null;
  return (
    <details className="group">
      <summary className="flex min-h-11 items-center justify-between gap-4 font-bold">
        What it covers
        <Sign name="down" className="size-5 shrink-0 group-open:rotate-180" />
      </summary>
      <TopicList topics={topics} />
    </details>
  );
}

export function TopicList({ topics }: Pick<ModuleShown, 'topics'>) {
  return (
    <ul className="mt-2 grid list-disc gap-1.5 pl-5 marker:text-edge">
      {topics.map((topic) => (
        <li key={topic} className="max-w-prose pl-1">
          {topic}
        </li>
      ))}
    </ul>
  );
}

type WayProps = Pick<ModulesShown, 'placeId' | 'opening'> & { module: ModuleShown; token: string };

function Way({ module: { number, title, openedOn, comesBy }, opening, placeId, token }: WayProps) {
  const path = href('/place/:token/:placeId/module/:module', {
    token,
    placeId: String(placeId),
    module: String(number),
  });
  const opened = openedOn !== null || comesBy !== null;
  if (opened || opening === 'early') {
    const text = opened ? `Go to module ${number}` : `Open module ${number} early`;
    return (
      <Link to={path} prefetch="none" aria-label={`${text}: ${title}`} className={textLink}>
        {text}
      </Link>
    );
  }
  return (
    <Form method="post" action={path}>
      <OpenButton number={number} label={`Open module ${number}`} title={title} />
    </Form>
  );
}

/** The button that opens a module. */
export function OpenButton({ number, label, title }: { number: number; label: string; title: string }) {
  const { state, formAction } = useNavigation();
  const busy = state === 'submitting' && formAction?.endsWith(`/module/${number}`) === true;
  return (
    <button type="submit" disabled={busy} aria-label={`${busy ? 'Sending' : label}: ${title}`} className={button.quiet}>
      {busy ? 'Sending' : label}
    </button>
  );
}
