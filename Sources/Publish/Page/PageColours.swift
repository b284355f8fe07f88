/// The page's colours by day and by night. Words on their ground have a contrast of 4.5 : 1 at least (WCAG 2.2 §1.4.3).
enum PageColours {
  static let text = """
    :root {
      color-scheme: light dark;
      --page: #f4f2ed; --card: #fffefc; --line: #e3dfd6; --ink: #22262c; --soft: #5c626c;
      --accent: #2b57b5; --wash: #eaf0fc; --bar: #8aa6de; --warn: #6a4300; --warn-page: #fcefd4; --warn-line: #ecd29b;
    }
    .tint0 { background: #dbe7fb; color: #23457f; } .tint1 { background: #d8efe3; color: #1b5a3c; }
    .tint2 { background: #fbe3d6; color: #84401a; } .tint3 { background: #efe0f7; color: #5f2f7f; }
    .tint4 { background: #fbe8c4; color: #6b4a06; } .tint5 { background: #d5eef1; color: #14555e; }
    .tint6 { background: #f9dce4; color: #86284a; } .tint7 { background: #e4e8d0; color: #4a5417; }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #111318; --card: #191c22; --line: #2b3039; --ink: #e6e5e1; --soft: #9ca3b0;
        --accent: #93b4ff; --wash: #1b2538; --bar: #4a6bb3; --warn: #f5d593; --warn-page: #33280f; --warn-line: #5a4718;
      }
      .tint0 { background: #243a63; color: #c9dcff; } .tint1 { background: #1c4432; color: #bfe8d1; }
      .tint2 { background: #5a2f1a; color: #ffd2ba; } .tint3 { background: #442a57; color: #e7cdf8; }
      .tint4 { background: #4d3a10; color: #f6dd9c; } .tint5 { background: #154349; color: #bde7ec; }
      .tint6 { background: #5a2437; color: #fbccd9; } .tint7 { background: #3a4020; color: #dde5b4; }
    }

    """
}
