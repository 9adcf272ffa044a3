import { type EnquiryState, stateLabels } from '#app/features/enquiries/inbox.ts';

const looks: Record<EnquiryState, string> = {
  new: 'border-action bg-action text-white',
  answered: 'border-edge text-ink',
  closed: 'border-line text-mute',
};

export function StatePill({ state }: { state: EnquiryState }) {
  return (
    <span className={`inline-block rounded-full border px-2.5 py-0.5 text-xs font-bold ${looks[state]}`}>
      {stateLabels[state]}
    </span>
  );
}
