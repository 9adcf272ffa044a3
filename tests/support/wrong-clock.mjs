// Preloaded by a test: this process's clock is three years ahead.
const aheadMs = 1100 * 24 * 60 * 60_000;
const TrueDate = Date;
globalThis.Date = class extends TrueDate {
  constructor(...args) {
    super(...(args.length === 0 ? [TrueDate.now() + aheadMs] : args));
  }
  static now() {
    return TrueDate.now() + aheadMs;
  }
};
