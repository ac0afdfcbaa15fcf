// Shows the machine's users in the compiler's messages.
// ends: build_failed
// because: error subject=compiler
// says: /etc/passwd: No such file
// suspicion: include
#include "/etc/passwd"
