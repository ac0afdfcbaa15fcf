# Headers as Doxygen gets them (sed -E). Numbers of lines stay right.
# The first line says what the header is: the brief description of the file. For the line that this takes, the first
# empty one goes.
1 {
  s,[<>@#],\\&,g
  s,^// (.*),/// \\file\n/// \\brief \1,
}
0,/^$/{/^$/d}
# Where a function's description follows the group's without an empty line between them, it would be taken for a part of
# that. For the line that this takes, the next two become one.
/^\/\/\/ @\{$/{
  N
  N
  s,^(.*)\n(/// .*)\n/// (.*)$,\1\n\n\2 \3,
}
