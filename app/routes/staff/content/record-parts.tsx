import { afterLabel } from '#app/features/content/form/field.ts';
import { formatDay } from '#app/lib/dates.ts';
import { TextLink } from '#app/ui/staff/typography.tsx';
import type { ExaminedView, FaultView, StandingView } from './editor.server.ts';

type StripProps = {
  current: StandingView | undefined;
  draft: (StandingView & { outdated: boolean }) | undefined;
  goesOut: { day: string; time: string; sydney: string | null } | null;
  /** How many fields the draft changes. */
  changed: number;
  /** How many faults stop it. */
  faults: number;
  history: string;
};

/** The published revision, the draft over it, and its scheduled time, each with its time and author. */
export function StateStrip({ current, draft, goesOut, changed, faults, history }: StripProps) {
  return (
    <ul className="mb-4 flex flex-wrap gap-x-10 gap-y-2 border-y border-rule py-2.5">
      {current ? (
        <State look="fill-link" title={current.state === 'retired' ? 'Retired' : 'Published'}>
          {{ to: history, text: `revision ${current.number}`, line: `since ${current.at} in Brisbane, ${current.by}` }}
        </State>
      ) : (
        <State look="fill-none stroke-mute" title="Not published yet">
          {{ line: 'Visitors do not see it.' }}
        </State>
      )}
      {draft && (
        <State look="fill-none stroke-stalk" title="Draft">
          {{
            to: history,
            text: current ? `${changed} ${changed === 1 ? 'field' : 'fields'} changed` : `revision ${draft.number}`,
            line: `saved ${draft.at} in Brisbane, ${draft.by}${draft.outdated ? '. Published since: the two are merged when you save' : ''}`,
          }}
        </State>
      )}
      {goesOut && (
        <State look="fill-stalk" title={`Goes out ${formatDay(goesOut.day)}, ${goesOut.time} in Brisbane`}>
          {{
            line: [
              ...(goesOut.sydney ? [goesOut.sydney] : []),
              ...(faults > 0 ? [`waits for ${faults} ${faults === 1 ? 'fault' : 'faults'} to be corrected`] : []),
            ].join(', '),
          }}
        </State>
      )}
    </ul>
  );
}

type StateProps = { look: string; title: string; children: { to?: string; text?: string; line: string } };

function State({ look, title, children: { to, text, line } }: StateProps) {
  return (
    <li className="flex gap-2.5">
      <svg aria-hidden="true" viewBox="0 0 10 10" strokeWidth="1.5" className={`mt-1.5 size-2.5 shrink-0 ${look}`}>
        <path d="m5 .5 4 4.5-4 4.5L1 5Z" />
      </svg>
      <div>
        <p>
          <b>{title}</b>
          {to && text && (
            <>
              , <TextLink to={to}>{text}</TextLink>
            </>
          )}
        </p>
        <p className="text-sm text-mute">{line}</p>
      </div>
    </li>
  );
}

/** The result of the check: faults that prevent publishing, each with a link to its field, and shortcomings. */
export function CheckBox({ faults, elsewhere, shortcomings }: ExaminedView) {
  const stops = faults.length + elsewhere.length;
  if (stops + shortcomings.length === 0) return null;
  return (
    <section
      aria-label="What the check says"
      className={`mb-5 grid gap-3 rounded-2xl px-4 py-3 ${stops > 0 ? 'bg-fault-tint' : 'bg-straw-tint'}`}
    >
      {stops > 0 && (
        <div className="text-fault">
          <p className="font-semibold">
            {stops === 1 ? 'One fault stops publishing' : `${stops} faults stop publishing`}
          </p>
          <ul className={`${lines} ${stops > 6 ? 'lg:columns-3' : ''}`}>
            {faults.map((fault) => (
              <FaultText key={`${fault.name} ${fault.message}`} {...fault} />
            ))}
            {elsewhere.map((text) => (
              <li key={text}>{text}.</li>
            ))}
          </ul>
        </div>
      )}
      {shortcomings.length > 0 && (
        <div>
          <p className="font-semibold">You can publish with {shortcomings.length === 1 ? 'this' : 'these'}</p>
          <ul className={lines}>
            {shortcomings.map((fault) => (
              <FaultText key={`${fault.name} ${fault.message}`} {...fault} />
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

const lines = 'mt-1 list-disc gap-x-8 pl-5 *:mb-1 *:break-inside-avoid';

function FaultText({ name, label, message }: FaultView) {
  if (label === '') return <li>{message}.</li>;
  return (
    <li>
      {name ? (
        <a href={`#${name}`} className="underline underline-offset-3">
          {label}
        </a>
      ) : (
        label
      )}
      : {afterLabel(message)}.
    </li>
  );
}
