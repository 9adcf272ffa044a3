import { stateLabels as conversationLabels } from '#app/features/conversations/states.ts';
import { stateLabels as enquiryLabels } from '#app/features/enquiries/inbox.ts';

const labels = { ...enquiryLabels, ...conversationLabels };

const looks: Record<keyof typeof labels, string> = {
  new: 'border-action bg-action text-white',
  waiting: 'border-action bg-action text-white',
  answered: 'border-edge text-ink',
  closed: 'border-line text-mute',
};

export function StatePill({ state }: { state: keyof typeof labels }) {
  return (
    <span className={`inline-block rounded-full border px-2.5 py-0.5 text-xs font-bold ${looks[state]}`}>
      {labels[state]}
    </span>
  );
}
