import type { TooManyUnpaid, UnpaidOf } from './unpaid-seats.server.ts';

const seats = (count: number) => (count === 1 ? '1 unpaid seat is' : `${count} unpaid seats are`);
const words: Record<UnpaidOf, (unpaidSeats: number) => string> = {
  buyer: (count) => `${seats(count)} kept for this email address already, and six is the most.`,
  // How many they are is nobody else's business.
  domain: () => 'today at most six unpaid seats are kept for addresses of this domain.',
  network: () => 'today at most twelve unpaid seats are kept for people on your network.',
};

/** A sentence, without its capital, of why further seats may not be unpaid (P28). */
export const unpaidInWords = ({ of, unpaidSeats }: TooManyUnpaid): string => words[of](unpaidSeats);
