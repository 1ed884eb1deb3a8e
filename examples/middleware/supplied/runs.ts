/** Runs that were archived. Each writes a line to the log. */

interface ArchivedRun {
  threadId: string | undefined;
  model: string;
  output: string;
}

const rows: ArchivedRun[] = [];

export const runs = {
  async insert(run: ArchivedRun): Promise<void> {
    rows.push(run);
    console.info(`archived run ${rows.length}: ${JSON.stringify(run)}`);
  },
};
