/* The longer texts of the made-up log. */

export const PLAN = `# Make the parser accept trailing commas

## Steps

1. Read \`parser.py\` and its tests.
2. Let \`parse_list\` stop at a closing bracket **after** a comma.
3. Add tests for \`[1, 2,]\` and for \`[,]\`, which stays an error.

## Risks

An empty list with a comma (\`[,]\`) must still be refused.

\`\`\`python
def parse_list(self):
    while not self.at("]"):
        items.append(self.parse_value())
\`\`\`
`;

export const DIFF = `--- a/parser.py
+++ b/parser.py
@@ -41,9 +41,11 @@ class Parser:
     def parse_list(self):
         self.expect("[")
         items = []
-        while True:
+        while not self.at("]"):
             items.append(self.parse_value())
-            if not self.accept(","):
+            if self.at("]"):
+                break
+            if not self.expect(","):
                 break
         self.expect("]")
         return items
`;

export const READ = `    41\t    def parse_list(self):\n    42\t        self.expect("[")\n    43\t        items = []\n\n[Showing lines 41-43 of 120]`;
export const TODOS = [
  { content: "Read the parser", status: "completed" as const, active: "Reading the parser" },
  { content: "Accept a trailing comma", status: "in_progress" as const, active: "Accepting a trailing comma" },
  { content: "Add tests", status: "pending" as const, active: "Adding tests" },
];
