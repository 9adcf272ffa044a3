import { Form, href, Link, useNavigation } from 'react-router';
import type { ModuleShown, ModulesShown } from '#app/features/enrolments/modules.ts';
import { button } from '#app/ui/button.ts';
import { More } from '#app/ui/more.tsx';

const textLink = 'font-bold text-link underline underline-offset-4';

/**
 * The modules of guided study on the attendee's page, as a trail: only the next one has a button, the others a link, and
 * above them stands the effect on the refund (P40).
 */
export function ModuleList({ shown, token }: { shown: ModulesShown; token: string }) {
  const { placeId, count, opening, begins, ends, effect, modules } = shown;
  const empty = modules.some(({ openedOn, written }) => openedOn === null && !written);
  const next = modules.find((module) => !isOpened(module))?.number;
  return (
    <>
      <div className="grid max-w-prose gap-2">
        <h2 className="mt-3 text-xl">Modules</h2>
        <p className="tabular font-semibold">{count}</p>
        {opening === 'early' && (
          <p>
            Your study begins on {begins}. You can open a module earlier; your study then starts on that day. Access
            ends on {ends}.
          </p>
        )}
        {opening === 'open' && <p>Access ends on {ends}. A module you have opened stays open to you until then.</p>}
        {opening === 'overdue' && <Overdue />}
        {effect && <p>{effect}</p>}
        {effect && empty && (
          <p>
            A module whose text is not here yet comes from your instructor, by the end of the business day after you
            open it. Until it is here, it takes nothing off the refund.
          </p>
        )}
      </div>
      <ol>
        {modules.map((module) => (
          <li
            key={module.number}
            className={`relative grid grid-cols-[2.25rem_minmax(0,1fr)] gap-x-4 pb-6 last:pb-0 not-last:before:absolute not-last:before:top-9 not-last:before:bottom-0 not-last:before:left-4.25 not-last:before:w-0.5 ${isOpened(module) ? 'not-last:before:bg-straw' : 'not-last:before:bg-line'}`}
          >
            <span
              aria-hidden="true"
              className={`tabular flex size-9 items-center justify-center rounded-full border-2 font-bold ${isOpened(module) ? 'border-straw bg-straw text-on-straw' : module.number === next ? 'border-straw bg-card' : 'border-line bg-paper text-mute'}`}
            >
              {module.number}
            </span>
            <div className="grid justify-items-start gap-1 pt-1">
              <h3 className="text-lg">
                <span className="sr-only">{module.number}. </span>
                {module.title}
              </h3>
              <p className="text-mute">{stateOf(module)}</p>
              <div className="flex flex-wrap items-start gap-x-6">
                {(module.openedOn !== null || opening === 'open' || opening === 'early') && (
                  <div className="no-print">
                    <Way
                      module={module}
                      opening={opening}
                      token={token}
                      placeId={placeId}
                      isNext={module.number === next}
                    />
                  </div>
                )}
                <Topics topics={module.topics} />
              </div>
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

const isOpened = ({ openedOn, comesBy }: ModuleShown) => openedOn !== null || comesBy !== null;

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
    <More label="What it covers" className="open:basis-full">
      <TopicList topics={topics} />
    </More>
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

type WayProps = Pick<ModulesShown, 'placeId' | 'opening'> & { module: ModuleShown; token: string; isNext: boolean };

function Way({ module, opening, placeId, token, isNext }: WayProps) {
  const { number, title } = module;
  const path = href('/place/:token/:placeId/module/:module', {
    token,
    placeId: String(placeId),
    module: String(number),
  });
  const opened = isOpened(module);
  if (opened || opening === 'early') {
    const text = opened ? `Go to module ${number}` : `Open module ${number} early`;
    return (
      <Link
        to={path}
        prefetch="none"
        aria-label={`${text}: ${title}`}
        className={isNext && !opened ? `${button.quiet} mb-1` : `${textLink} inline-flex min-h-11 items-center`}
      >
        {text}
      </Link>
    );
  }
  return (
    <Form method="post" action={path}>
      <OpenButton
        number={number}
        label={`Open module ${number}`}
        title={title}
        look={isNext ? button.primary : `${textLink} min-h-11`}
      />
    </Form>
  );
}

type OpenButtonProps = { number: number; label: string; title: string; look?: string };

/** The button that opens a module. */
export function OpenButton({ number, label, title, look = button.quiet }: OpenButtonProps) {
  const { state, formAction } = useNavigation();
  const busy = state === 'submitting' && formAction?.endsWith(`/module/${number}`) === true;
  return (
    <button type="submit" disabled={busy} aria-label={`${busy ? 'Sending' : label}: ${title}`} className={look}>
      {busy ? 'Sending' : label}
    </button>
  );
}
