/** Numbers by name. Each change writes a line to the log. */

const durations = new Map<string, number[]>();
const counts = new Map<string, number>();

export const metrics = {
  /** Keeps how long something took, in milliseconds. */
  record(name: string, duration: number): void {
    const all = durations.get(name) ?? [];
    durations.set(name, [...all, duration]);
    console.info(`${name}: ${all.length + 1} recorded, the last took ${duration} ms`);
  },

  /** Counts something. */
  increment(name: string): void {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    console.info(`${name}: ${count}`);
  },
};
