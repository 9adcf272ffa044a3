import { stateLabels as conversationLabels } from '#app/features/inbox/conversations/states.ts';
import { stateLabels as enquiryLabels } from '#app/features/inbox/enquiries/inbox.ts';
import { Pill } from '#app/ui/staff/typography.tsx';

const labels = { ...enquiryLabels, ...conversationLabels };

const looks = { new: 'open', waiting: 'open', answered: 'calm', closed: 'over' } as const;

export function StatePill({ state }: { state: keyof typeof labels }) {
  return <Pill look={looks[state]}>{labels[state]}</Pill>;
}

/** The last cell of a row: the state, since when, and who set it. */
export function StateCell({ state, at, by }: { state: keyof typeof labels; at: string; by: string | null }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm md:block md:text-right">
      <p className="md:flex md:items-baseline md:justify-end md:gap-3">
        <StatePill state={state} /> <span className="tabular whitespace-nowrap text-mute">{at}</span>
      </p>
      {by && <p className="tabular whitespace-nowrap text-mute">{by}</p>}
    </div>
  );
}
